import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { newMovedSite, sqliteFile } from '../tests/moved-site.ts'
import { runImportCommand } from './import-command.ts'

const source = [
  'create table users (id integer primary key, username text, password text, role integer, status integer, quota bigint)',
  "insert into users values (1, 'root', 'x', 100, 1, 7)",
].join(';\n')

it('ends at Ctrl-C after the page under way, and the next run begins at once', async () => {
  const from = await sqliteFile(source)
  const target = await newMovedSite()
  const listeners = process.listenerCount('SIGINT')
  const ended = expect(target.import('one-api', '--from', from)).rejects.toThrow('was stopped')
  while (process.listenerCount('SIGINT') === listeners) await pause(1)
  process.emit('SIGINT', 'SIGINT')
  await ended
  expect(process.listenerCount('SIGINT')).toBe(listeners)
  const { code, report } = await target.import('one-api', '--from', from)
  expect(code).toBe(0)
  expect(report.sums.find(({ name }) => name === 'user_quota')).toMatchObject({ before: 7, after: 7 })
})

it.each([
  [[], 'Name the product.'],
  [['newapi', '--from', 'x.db'], 'There is no product "newapi".'],
  [['new-api'], 'Name the database to read: --from <address>.'],
  [['new-api', '--from', ''], 'Name the database to read: --from <address>.'],
  [['new-api', 'x.db'], 'Name the database to read: --from <address>.'],
])('says what is missing in %j', async (args, wrong) => {
  const lines: string[] = []
  const printError = (line: string) => lines.push(line)
  expect(await runImportCommand(args, {}, { print: () => {}, printError })).toBe(2)
  expect(lines.join('\n')).toContain(wrong)
})

it('leaves no new database behind where the source cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const run = runImportCommand(['one-api', '--from', join(folder, 'one-api.db')], { DATA_DIR: join(folder, 'data') })
  await expect(run).rejects.toThrow('there is no such file')
  expect(await readdir(folder)).toEqual([])
})
