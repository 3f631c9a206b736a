import type { Agent } from './agent.ts'

export const aider: Agent = {
  name: 'aider',
  setup: 'aider',
  package: 'aider-chat',
  registry: 'pypi',
  program: 'bin/aider',
  args: (prompt) => [
    ...['--edit-format', 'whole', '--no-git', '--yes-always', '--no-check-update', '--no-analytics'],
    ...['--auto-test', '--test-cmd', 'grep 42 notes.txt', '--message', prompt, 'notes.txt'],
  ],
}
