/** How a process is started for the memory that it may use. */
export interface MemorySettings {
  /** Flags of V8. */
  readonly flags: readonly string[]
  /** Variables of the C library. */
  readonly environment: Readonly<Record<string, string>>
}

const mebibyte = 1024 * 1024

/**
 * Young generations, in MiB: calls leave much short-lived garbage, which a larger one collects for less processor time. Above 32 no
 * difference was measured, and each takes its size twice.
 */
const youngFor = (limitBytes: number): number => {
  if (limitBytes <= 320 * mebibyte) return 4
  return limitBytes <= 768 * mebibyte ? 16 : 32
}

/** MiB without which the program does not start. */
const leastOld = 96

/**
 * V8 by itself collects the old generation at up to four times of what lives there: calls and lines of batches leave some kB each that
 * outlive two young generations, and 200 MB of them waited for that. Twice costs a collection of 60 MB every 20,000 lines.
 */
const growth = '--heap-growing-percent=100'

/** The share of a small limit that is left to what lives longer; where there is room, it grows with what lives. */
const oldFor = (limitBytes: number): readonly string[] => {
  if (limitBytes > 768 * mebibyte) return [growth]
  const share = limitBytes <= 320 * mebibyte ? 0.375 : 0.5
  return [`--max-old-space-size=${Math.max(leastOld, Math.floor((limitBytes * share) / mebibyte))}`]
}

/**
 * Bytes from which the C library gives each allocation pages of its own on the smallest machines, and gives them back when it
 * is freed. In the common area bodies, reads of sockets and windows of decompression leave holes that are never given back:
 * attacks on a container of 256 MB left 60 MB there.
 */
const ownPagesFor = (limitBytes: number): Readonly<Record<string, string>> =>
  limitBytes <= 320 * mebibyte ? { MALLOC_MMAP_THRESHOLD_: '16384' } : {}

/**
 * Settings for a process that may use `limitBytes`: what the machine has, or less in a container. glibc by itself makes an
 * arena for each thread and keeps what was freed; two arenas that give it back take 60 MB less.
 */
export const memorySettings = (limitBytes: number): MemorySettings => ({
  flags: [`--max-semi-space-size=${youngFor(limitBytes)}`, ...oldFor(limitBytes)],
  environment: {
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_TOP_PAD_: '65536',
    ...ownPagesFor(limitBytes),
  },
})
