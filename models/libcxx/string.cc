/* std::string and its kin: the instantiations that the headers suppress. Compiled as C++17, where the headers declare them extern. */
#include <string>

namespace std {
template class allocator<char>;
template class allocator<wchar_t>;
template class basic_string<char>;
template class basic_string<wchar_t>;
}  // namespace std
