import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group of Linux that bounds the memory of what runs in it, as a container's does. */
export interface MemoryLimit {
  /** A command and its arguments that start another command in the group. */
  wrap(command: readonly string[]): readonly [string, ...string[]]
  /** Processes of the group that were ended because there was no memory. */
  readonly killed: number
  remove(): void
}

/**
 * Folders of control groups, each with the file that bounds a group and the one that counts its killed processes: in the first
 * hierarchy for memory, else in the unified one.
 */
const hierarchies: readonly (readonly [string, string, string])[] = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.oom_control'],
  ['/sys/fs/cgroup', 'memory.max', 'memory.events'],
]

/** undefined, with a word, where this user may make no group: the tests in it are skipped. */
export const limitMemoryHere = (bytes: number): MemoryLimit | undefined => {
  try {
    return limitMemory(bytes)
  } catch (error) {
    console.log(`skipped: no control group can be made here (${String(error)})`)
    return undefined
  }
}

/** @throws Error where this user may make no group: run it as root, or in a container that may. */
export const limitMemory = (bytes: number): MemoryLimit => {
  const found = hierarchies.find(([folder]) => existsSync(join(folder, 'cgroup.procs')))
  if (found === undefined) throw new Error('There are no control groups here that bound memory.')
  const [folder, file, events] = found
  const group = join(folder, `tollgate-${process.pid}-${bytes}`)
  mkdirSync(group, { recursive: true })
  writeFileSync(join(group, file), String(bytes))
  if (Number(readFileSync(join(group, file), 'utf8')) !== bytes) throw new Error(`${file} was not taken`)
  return {
    wrap: (command) => ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group, ...command],
    get killed() {
      const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(join(group, events), 'utf8')) ?? []
      return Number(count ?? 0)
    },
    remove: () => rmdirSync(group),
  }
}
