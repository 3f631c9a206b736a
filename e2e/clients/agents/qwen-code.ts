import type { Agent } from './agent.ts'

export const qwenCode: Agent = {
  name: 'Qwen Code',
  setup: 'qwen-code',
  package: '@qwen-code/qwen-code',
  program: 'node_modules/.bin/qwen',
  args: (prompt) => ['-p', prompt, '--yolo', '--output-format', 'json'],
  // A command that ends at once sometimes loses its output.
  runs: (command) => ({
    name: 'run_shell_command',
    input: { command: `${command}; sleep 1`, description: 'Runs it', is_background: false },
  }),
}
