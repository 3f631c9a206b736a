import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openForBusiness, signIn } from '../support/operator.ts'
import { completion, json, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { rootPassword } from '../support/site.ts'

/** Installed contents of `npm install tollgate-<version>.tgz` in an empty folder: without sources, types and compilers. */

const root = join(import.meta.dirname, '../..')
let folder = ''
let program = ''

beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-installed-'))
  const packages = join(folder, 'node_modules')
  program = join(packages, 'tollgate')
  mkdirSync(program, { recursive: true })
  // Builds what is packed, and says at last where it is.
  const printed = execFileSync(process.execPath, [join(root, 'scripts/package/command.ts'), folder]).toString()
  const file = printed.trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['-x', '-z', '-f', file, '-C', program, '--strip-components=1'])
  const own = realpathSync(join(root, 'node_modules'))
  for (const name of readdirSync(own)) if (name !== '@tollgate') symlinkSync(join(own, name), join(packages, name))
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('holds no TypeScript', () => {
  const files = readdirSync(program, { recursive: true, encoding: 'utf8' })
  expect(files).toContain('web/dist/index.html')
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
})

it('names its commands', () => {
  const bin = join(program, 'scripts/tollgate/bin.mjs')
  expect(execFileSync(process.execPath, [bin, 'help'], { cwd: folder }).toString()).toContain('import ')
  const usage = execFileSync(process.execPath, [bin, 'import', '--help'], { cwd: folder }).toString()
  expect(usage).toContain('tollgate import new-api|one-api|litellm')
})

it('serves from a folder with nothing in it, keeps its data there, counts and charges', {
  timeout: 120_000,
}, async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const upstream = await startScriptedUpstream()
  upstream.answer = json(completion({ content: 'The gate opens.' }, { usage: undefined }))
  const child = spawn(process.execPath, [join(program, 'scripts/tollgate/bin.mjs')], {
    cwd: empty,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', INITIAL_ROOT_PASSWORD: rootPassword },
  })
  let printed = ''
  child.stdout.on('data', (part) => {
    printed += String(part)
  })
  try {
    while (!/listens on (http:\S+?)"/.test(printed)) await once(child.stdout, 'data')
    const url = /listens on (http:\S+?)"/.exec(printed)?.[1] ?? ''
    // Signing in, SQLite and counting are threads, which run modules of their own.
    const operator = await signIn(url)
    const key = await openForBusiness(operator, upstream.url)
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
    // Without a report of the upstream, tokens are counted here.
    const logged = async () =>
      (await operator.must<{ items: { completion_tokens: number }[] }>('GET', '/api/log/?p=1&page_size=10&type=2'))
        .items
    await expect.poll(logged, { timeout: 30_000 }).toMatchObject([{ completion_tokens: 4 }])
    expect(await (await fetch(url)).text()).toContain('<!doctype html>')
    expect(readdirSync(empty)).toEqual(['data'])
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await upstream.close()
  }
  const backup = execFileSync(
    process.execPath,
    [join(program, 'scripts/tollgate/bin.mjs'), 'backup', '--to', join(folder, 'copies')],
    { cwd: empty, env: { PATH: process.env.PATH } },
  )
  expect(backup.toString()).toContain('.backup.gz')
})
