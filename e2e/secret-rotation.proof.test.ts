import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openForBusiness, signIn } from './support/operator.ts'
import { completion, json, startScriptedUpstream } from './support/scripted-upstream.ts'
import { startSite } from './support/site.ts'

/** The secret of an installation is replaced; its keys, channels and sessions go on. */

const run = promisify(execFile)
const command = join(import.meta.dirname, '../scripts/tollgate/bin.mjs')

it('replaces CRYPTO_SECRET while keys, channels and sessions stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-rotation-'))
  const upstream = await startScriptedUpstream()
  const secretFile = join(folder, 'secret')
  const environment: Record<string, string> = { CRYPTO_SECRET_FILE: secretFile }
  writeFileSync(secretFile, 'the first secret\n')
  const site = await startSite(environment)
  onTestFinished(async () => {
    await site.remove()
    await upstream.close()
    rmSync(folder, { recursive: true })
  })
  upstream.answer = json(completion())
  const operator = await signIn(site.url)
  const key = await openForBusiness(operator, upstream.url)
  const call = async (): Promise<number> => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return response.status
  }
  expect(await call()).toBe(200)

  await site.stop()
  writeFileSync(secretFile, 'the second secret\n')
  environment.CRYPTO_SECRET_PREVIOUS = 'the first secret'
  await site.restart()
  expect(await call()).toBe(200)

  const variables = { ...process.env, ...environment, DATA_DIR: site.directory }
  const rotate = (...args: string[]) => run(process.execPath, [command, 'rotate-secret', ...args], { env: variables })
  await expect(rotate('--check')).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining('tokens.key_cipher: 1'),
  })
  const calls = Promise.all(Array.from({ length: 20 }, call))
  const { stdout } = await rotate()
  expect(stdout).toContain('channels.key_cipher: 1 stored, 1 encrypted anew, 0 left')
  expect(stdout).toContain('CRYPTO_SECRET_PREVIOUS can go')
  expect(new Set(await calls)).toEqual(new Set([200]))

  await site.stop()
  delete environment.CRYPTO_SECRET_PREVIOUS
  await site.restart()
  expect(await call()).toBe(200)
  expect(await operator.must('GET', '/api/user/self')).toMatchObject({ id: 1 })
  expect(upstream.calls.at(-1)?.headers.authorization).toBe('Bearer sk-upstream')
})
