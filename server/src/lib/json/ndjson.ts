/** Writes lines of a stream of JSON objects. */
export interface LineWriter<Line> {
  write(line: Line): void
  /** False once the reader has left: start nothing more. */
  isOpen(): boolean
}

/** Proxies give up on an answer that is silent for a minute. */
const keepAliveMs = 15_000

/**
 * Newline-delimited JSON: one line per object that `work` writes, as soon as it is written. Ends with the work, and throws what it
 * throws. An empty line every `everyMs` keeps a silent stream alive.
 */
export async function* ndjsonLines<Line>(
  work: (writer: LineWriter<Line>) => Promise<void>,
  everyMs = keepAliveMs,
): AsyncGenerator<string> {
  let pending: string[] = []
  let isOpen = true
  let isDone = false
  let wake = (): void => {}
  const write = (line: Line): void => {
    pending.push(`${JSON.stringify(line)}\n`)
    wake()
  }
  const result = work({ write, isOpen: () => isOpen }).finally(() => {
    isDone = true
    wake()
  })
  // Rethrown below, after all lines have been read.
  result.catch(() => undefined)
  try {
    while (!isDone || pending.length > 0) {
      if (pending.length === 0) await wokenWithin(everyMs, (onWake) => (wake = onWake))
      const text = pending.join('')
      pending = []
      if (text !== '' || !isDone) yield text || '\n'
    }
    await result
  } finally {
    isOpen = false
  }
}

/** Resolves when the function that `setWake` gets is called, or after `ms`. */
const wokenWithin = (ms: number, setWake: (wake: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    setWake(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Runs `work` for each item, at most `atOnce` at a time; starts no more items once `while` returns false. */
export const someAtOnce = async <Item>(
  items: readonly Item[],
  { atOnce, while: goesOn }: { readonly atOnce: number; while(): boolean },
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && goesOn(); item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

/** True if a content type is that of one JSON value. Lines of JSON (`jsonl`, `ndjson`, `json-seq`) are many, and come as they are made. */
export const isJsonType = (contentType: string): boolean => /(?<!nd)json(?!l|-seq)/i.test(contentType)
