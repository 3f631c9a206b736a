import type { Disk, DiskFile } from '../../../src/journal/disk.ts'

/** Contents of a disk: the bytes of each file by its path. */
export type DiskImage = ReadonlyMap<string, Buffer>

export interface PowerCutDiskParts {
  /** Contents of the disk when the machine starts. */
  readonly image: DiskImage
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  /** The power fails at this call of the disk, before or after its effect. */
  readonly cutAt: number
  /** Share of writes that find the disk full, and of syncs that fail and keep nothing. */
  readonly faults: number
}

/** A disk in memory that keeps only what was synced, of files and of directories, and any part of the rest. */
export interface PowerCutDisk {
  readonly disk: Disk
  /** False after the power failed: every call throws. */
  readonly powered: boolean
  /** How many writes and syncs failed while there was power. */
  readonly failures: number
  /** Ends the power, if it has not failed; returns what a machine finds when it starts again. */
  cut(): DiskImage
}

const sectorBytes = 512

interface Inode {
  content: Buffer
  onDisk: Buffer
  /** A failed sync leaves pages that count as clean: later syncs succeed without writing them. */
  failed: boolean
}

type NameChange = (names: Map<string, Inode>) => void

const failure = (code: string): Error => Object.assign(new Error(`${code}: simulated`), { code })

export const openPowerCutDisk = ({ image, random, cutAt, faults }: PowerCutDiskParts): PowerCutDisk => {
  const fileOf = (bytes: Buffer): Inode => ({ content: bytes, onDisk: bytes, failed: false })
  const onDisk = new Map([...image].map(([path, bytes]) => [path, fileOf(bytes)] as const))
  const names = new Map(onDisk)
  let changes: NameChange[] = []
  let calls = 0
  let failures = 0
  let found: DiskImage | undefined

  const pick = (most: number): number => Math.floor(random() * (most + 1))

  const change = (apply: NameChange): void => {
    apply(names)
    changes.push(apply)
  }

  /** Each sector is as it was synced or as it was written later, and the file ends anywhere between the two sizes. */
  const tornContent = ({ content, onDisk: synced }: Inode): Buffer => {
    const kind = random()
    if (kind < 0.3) return synced
    if (kind < 0.5) return content
    const [least, most] = [Math.min(synced.length, content.length), Math.max(synced.length, content.length)]
    const torn = Buffer.alloc(least + pick(most - least))
    synced.copy(torn)
    const isPrefix = kind < 0.8
    for (let start = 0; start < torn.length; start += sectorBytes) {
      if (isPrefix || random() < 0.5) content.copy(torn, start, start, Math.min(start + sectorBytes, content.length))
    }
    return torn
  }

  const cut = (): DiskImage => {
    if (found !== undefined) return found
    const share = [0, 0.5, 1][pick(2)] ?? 0
    for (const apply of changes) if (random() < share) apply(onDisk)
    found = new Map([...onDisk].map(([path, inode]) => [path, tornContent(inode)]))
    return found
  }

  /** One call of the disk: the power may fail before or after its effect. */
  const call = <T>(effect: () => T): T => {
    calls += 1
    const [before, after] = random() < 0.5 ? [true, false] : [false, true]
    if (calls === cutAt && before) cut()
    if (found !== undefined) throw failure('NO_POWER')
    const result = effect()
    if (calls === cutAt && after) cut()
    return result
  }

  const turns = async (): Promise<void> => {
    for (let left = pick(4); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Works on what there was at the call: bytes that come meanwhile are not covered. */
  const syncing = async (start: () => () => void): Promise<void> => {
    const finish = call(start)
    await turns()
    call(finish)
  }

  const mayFail = (code: string): void => {
    if (random() >= faults) return
    failures += 1
    throw failure(code)
  }

  const open = (path: string): DiskFile => {
    const inode = call(() => {
      const existing = names.get(path)
      if (existing !== undefined) return existing
      const created = fileOf(Buffer.alloc(0))
      change((entries) => entries.set(path, created))
      return created
    })
    return {
      write: (bytes, start) =>
        call(() => {
          const taken = random() < 0.9 ? bytes.length - start : 1 + pick(bytes.length - start - 1)
          mayFail('ENOSPC')
          inode.content = Buffer.concat([inode.content, bytes.subarray(start, start + taken)])
          return taken
        }),
      truncate: (size) =>
        call(() => {
          mayFail('EIO')
          inode.content = inode.content.subarray(0, size)
        }),
      sync: () =>
        syncing(() => {
          const snapshot = inode.content
          return () => {
            if (inode.failed) return
            if (random() < faults) {
              inode.failed = true
              inode.onDisk = tornContent(inode)
              failures += 1
              throw failure('EIO')
            }
            inode.onDisk = snapshot
          }
        }),
      close: () => undefined,
    }
  }

  const remove = (path: string): void => call(() => change((entries) => entries.delete(path)))

  return {
    disk: {
      makeDirectory: () => undefined,
      list: async (directory) =>
        [...names.keys()].flatMap((path) => (path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : [])),
      read: async (path) => (names.get(path)?.content ?? Buffer.alloc(0)).toString('utf8'),
      open,
      rename: (from, to) =>
        call(() => {
          change((entries) => {
            const inode = entries.get(from)
            entries.delete(from)
            if (inode !== undefined) entries.set(to, inode)
          })
        }),
      remove,
      syncDirectory: () =>
        syncing(() => {
          const covered = new Set(changes)
          return () => {
            for (const apply of changes) if (covered.has(apply)) apply(onDisk)
            changes = changes.filter((apply) => !covered.has(apply))
          }
        }),
    },
    get powered() {
      return found === undefined
    },
    get failures() {
      return failures
    },
    cut,
  }
}
