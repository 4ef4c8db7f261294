// A server of cpp-httplib and its clients in one process: connections go to a pool of threads, clients are std::async's. They keep values in
// a map, get them, and search all of them. Prints what the clients were told. usage: httplib_client REQUESTS
#include <httplib.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr int clients = 6;

class store {
 public:
  void put(const std::string &key, const std::string &value) {
    std::unique_lock<std::shared_mutex> lock(mutex);
    values[key] = value;
    uses[key.substr(0, 2)]++;
  }
  std::string get(const std::string &key) const {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto at = values.find(key);
    return at == values.end() ? "nothing" : at->second;
  }
  /* The keys of one client whose values have a digit, as one line. */
  std::string search(const std::string &prefix, char digit) const {
    std::vector<std::string> found;
    {
      std::shared_lock<std::shared_mutex> lock(mutex);
      for (auto at = values.lower_bound(prefix); at != values.end() && at->first.compare(0, prefix.size(), prefix) == 0; ++at)
        if (at->second.find(digit) != std::string::npos) found.push_back(at->first);
    }
    std::sort(found.begin(), found.end(), std::greater<std::string>());
    std::string line;
    for (auto &key : found) line += key + ' ';
    return line;
  }
  int count(const std::string &client) const {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto at = uses.find(client);
    return at == uses.end() ? 0 : at->second;
  }

 private:
  mutable std::shared_mutex mutex;
  std::map<std::string, std::string> values;
  std::unordered_map<std::string, int> uses;
};

std::string told(int port, int client, int requests) {
  httplib::Client http("127.0.0.1", port);
  http.set_keep_alive(true);
  http.set_tcp_nodelay(true);
  std::string name = "c" + std::to_string(client), all;
  for (int i = 0; i < requests; i++) {
    std::string path = "/value/" + name + "." + std::to_string(i * 7919 % 1000);
    auto put = http.Put(path.c_str(), std::to_string(i * i), "text/plain");
    auto got = http.Get(path.c_str());
    if (!put || !got || put->status != 200 || got->status != 200) return name + ": no answer";
    all += got->body + ',';
    if (i % 50 != 49) continue;
    auto found = http.Get(("/search/" + name + "?digit=" + std::to_string(i % 10)).c_str());
    if (!found) return name + ": no answer";
    all += found->body + '\n';
  }
  return all;
}

}  // namespace

int main(int, char **words) {
  int requests = std::atoi(words[1]);
  store values;
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(clients); };
  server.set_keep_alive_max_count(1000000);
  server.set_tcp_nodelay(true);
  server.Put(R"(/value/([a-z0-9.]+))", [&](const httplib::Request &request, httplib::Response &) { values.put(request.matches[1], request.body); });
  server.Get(R"(/value/([a-z0-9.]+))", [&](const httplib::Request &request, httplib::Response &response) {
    response.set_content(values.get(request.matches[1]), "text/plain");
  });
  server.Get(R"(/search/([a-z0-9]+))", [&](const httplib::Request &request, httplib::Response &response) {
    response.set_content(values.search(request.matches[1].str() + ".", request.get_param_value("digit")[0]), "text/plain");
  });
  int port = server.bind_to_any_port("127.0.0.1");
  auto serving = std::async(std::launch::async, [&] { return server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::yield();
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < clients; i++) answers.push_back(std::async(std::launch::async, told, port, i, requests));
  for (auto &answer : answers) std::cout << answer.get() << '\n';
  for (int i = 0; i < clients; i++) std::cout << values.count("c" + std::to_string(i)) << '\n';
  server.stop();
  return serving.get() ? 0 : 1;
}
