import type { Agent } from './agent.ts'

export const geminiCli: Agent = {
  name: 'Gemini CLI',
  setup: 'gemini-cli',
  package: '@google/gemini-cli',
  program: 'node_modules/.bin/gemini',
  args: (prompt) => ['-p', prompt, '--yolo', '--skip-trust', '--output-format', 'json'],
  runs: (command) => ({ name: 'run_shell_command', input: { command } }),
}
