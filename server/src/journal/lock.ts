import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Distinguishes a process from a later one with the same number; empty where the system does not provide it. */
const startOf = (pid: number): string => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    // A killed process keeps its number until its parent has noticed.
    return fields?.[0] === 'Z' ? 'ended' : (fields?.[19] ?? '')
  } catch {
    return ''
  }
}

/** Differs after each start of the machine; empty where the system does not provide it. */
const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The process that wrote the lock, when it still runs and is not this one. */
const ownerOf = (path: string): number | undefined => {
  const [pid = '', start = '', boot = ''] = readFileSync(path, 'utf8').trim().split(' ')
  // After a power cut another process may have the number and, counted from the start of the machine, the same start.
  if (boot !== '' && boot !== bootId()) return undefined
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0 || number === process.pid || !isRunning(number)) return undefined
  return startOf(number) === start ? number : undefined
}

const write = (path: string): void =>
  writeFileSync(path, `${process.pid} ${startOf(process.pid)} ${bootId()}\n`, { flag: 'wx' })

/**
 * Keeps a second process away from a directory, beside which it writes a lock; answers how to give it back. The lock of a
 * process that was killed does not count, nor one from before the machine started; so it needs no sync. Throws when another one is at work.
 */
export const lockDirectory = (directory: string): (() => void) => {
  const path = `${directory}.lock`
  try {
    write(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = ownerOf(path)
    if (owner !== undefined) throw new Error(`Cannot open ${directory}: process ${owner} is using it`)
    rmSync(path, { force: true })
    write(path)
  }
  return () => rmSync(path, { force: true })
}
