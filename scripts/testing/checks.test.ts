import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { failedChecks } from './checks.ts'

const check = (name: string, code: string) => ({ name, args: ['-e', code] })

it('runs every command, names those that failed in their order, and keeps what each wrote together', async () => {
  const printed: string[] = []
  const checks = [
    check('fails late', 'setTimeout(() => { console.log("late"); console.error("wrong"); process.exitCode = 1 }, 300)'),
    check('passes', 'console.log("fine")'),
    check('fails', 'process.exitCode = 2'),
    check('is killed', 'process.kill(process.pid, "SIGKILL")'),
    check('passes, too', ''),
  ]
  const failed = await failedChecks(checks, tmpdir(), (text) => void printed.push(text))
  expect(failed).toEqual(['fails late', 'fails', 'is killed'])
  expect(printed.toSorted()).toEqual([
    '\n▶ fails\n',
    '\n▶ fails late\nlate\nwrong\n',
    '\n▶ is killed\n',
    '\n▶ passes\nfine\n',
    '\n▶ passes, too\n',
  ])
})
