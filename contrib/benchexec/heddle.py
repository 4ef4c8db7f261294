"""BenchExec's tool-info module for heddle check: https://github.com/sosy-lab/benchexec, doc/tool-integration.md.

To use it, put this file where Python finds it, and name it in the benchmark definition: <benchmark tool="heddle" ...>.
For violation witnesses: <option name="--witness">witness.yml</option>, and <resultfiles>witness.yml</resultfiles>.
"""
import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle")

    def name(self):
        return "Heddle"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable)

    def cmdline(self, executable, options, task, rlimits):
        data_model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if data_model == "ILP32":
            raise UnsupportedFeatureException("heddle check runs programs of 64 bits (LP64)")
        asked = ["--property=" + task.property_file] if task.property_file else []
        return [executable, "check", *options, *asked, *task.input_files_or_identifier]

    # The result is the report's last line: "  FILE: false(unreach-call)".
    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.value == 2:
            return result.RESULT_ERROR
        known = (result.RESULT_TRUE_PROP, result.RESULT_UNKNOWN)
        for line in reversed(list(run.output)):
            said = line.strip().rpartition(": ")[2]
            if line.startswith("  ") and (said in known or (said.startswith("false(") and said.endswith(")"))):
                return said
        return result.RESULT_ERROR
