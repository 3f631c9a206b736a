import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './lock.ts'

let parent = ''
const directory = (): string => join(parent, 'journal')
const source = join(import.meta.dirname, 'lock.ts')

/** Another process that locks the directory and stays. */
const startOwner = async () => {
  const script = `const { lockDirectory } = await import(${JSON.stringify(source)}); lockDirectory(process.argv[1]); console.log('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, directory()])
  await once(child.stdout, 'data')
  return child
}

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

describe('the lock of a directory', () => {
  it('keeps a second process away until the first was killed', async () => {
    const owner = await startOwner()
    expect(() => lockDirectory(directory())).toThrow(`process ${owner.pid} is using it`)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    lockDirectory(directory())()
  })

  it('does not take a stranger with the old number for its owner', () => {
    writeFileSync(`${directory()}.lock`, `${process.ppid} 1\n`)
    lockDirectory(directory())()
  })

  it('does not count when it is older than the start of the machine', async () => {
    const owner = await startOwner()
    const path = `${directory()}.lock`
    const [pid, start] = readFileSync(path, 'utf8').split(' ')
    writeFileSync(path, `${pid} ${start} another-boot\n`)
    lockDirectory(directory())()
    owner.kill('SIGKILL')
    await once(owner, 'exit')
  })

  it('leaves nothing behind when it is given back', () => {
    lockDirectory(directory())()
    expect(existsSync(`${directory()}.lock`)).toBe(false)
  })
})
