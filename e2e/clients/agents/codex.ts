import type { Agent } from './agent.ts'

export const codex: Agent = {
  name: 'Codex',
  setup: 'codex',
  package: '@openai/codex',
  program: 'node_modules/.bin/codex',
  args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  runs: (command) => ({ name: 'exec_command', input: { cmd: command } }),
}
