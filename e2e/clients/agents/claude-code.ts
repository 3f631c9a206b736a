import type { Agent } from './agent.ts'

export const claudeCode: Agent = {
  name: 'Claude Code',
  setup: 'claude-code',
  package: '@anthropic-ai/claude-code',
  program: 'node_modules/.bin/claude',
  prepared: 'node_modules/@anthropic-ai/claude-code/install.cjs',
  args: (prompt) => ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash'],
  runs: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
}
