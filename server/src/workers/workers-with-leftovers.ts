import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, nodeNameOf } from '../config/config.ts'
import { journalDirectory } from '../journal/adopt-journals.ts'
import { segmentNumber } from '../journal/segments.ts'

const hasRecords = async (directory: string): Promise<boolean> => {
  const names = await readdir(directory).catch(() => [])
  const segments = names.filter((name) => segmentNumber(name) !== undefined)
  const sizes = await Promise.all(segments.map(async (name) => (await stat(join(directory, name))).size))
  return sizes.some((size) => size > 0)
}

/**
 * Names of the workers in whose journals an earlier run has left something, without the first one, which reads its own before anybody calls.
 * After a graceful stop there are none.
 */
export const workersWithLeftovers = async ({
  dataDir,
  workers,
  nodeName,
}: Pick<Config, 'dataDir' | 'workers' | 'nodeName'>): Promise<readonly string[]> => {
  const names: string[] = []
  for (let worker = 2; worker <= workers; worker += 1)
    if (await hasRecords(journalDirectory(dataDir, worker))) names.push(nodeNameOf(nodeName, worker))
  return names
}
