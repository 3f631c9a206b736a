import type { Agent } from './agent.ts'

export const pi: Agent = {
  name: 'pi',
  setup: 'pi',
  package: '@mariozechner/pi-coding-agent',
  program: 'node_modules/.bin/pi',
  args: (prompt) => ['-p', prompt],
  env: { PI_OFFLINE: '1' },
  runs: (command) => ({ name: 'bash', input: { command } }),
}
