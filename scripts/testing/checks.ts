import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** A command of Node that counts as one test. */
export interface Check {
  readonly name: string
  readonly args: readonly string[]
}

/** Answers whether it ended well. What it writes is printed when it has ended: several write at once. */
const run = async ({ name, args }: Check, cwd: string, print: (text: string) => void): Promise<boolean> => {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const written: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => written.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  print(`\n▶ ${name}\n${Buffer.concat(written).toString()}`)
  return code === 0
}

/**
 * Runs the commands in the folder `cwd`, one per core at a time: the first ones should be the longest. Answers the names of
 * those that failed, in their order.
 */
export const failedChecks = async (
  checks: readonly Check[],
  cwd: string,
  print: (text: string) => void,
): Promise<string[]> => {
  const waiting = checks.entries()
  const failed = new Set<number>()
  const work = async (): Promise<void> => {
    for (const [index, check] of waiting) if (!(await run(check, cwd, print))) failed.add(index)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return checks.filter((_, index) => failed.has(index)).map(({ name }) => name)
}
