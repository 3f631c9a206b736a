/** How a teller writes lines, and hears whether anybody still reads them. */
export interface Teller<Line> {
  tell(line: Line): void
  /** False once the reader has gone: begin nothing more. */
  isHeard(): boolean
}

/** Proxies give up on an answer that is silent for a minute. */
const beatMs = 15_000

/**
 * What `work` tells, as JSON objects of one line each, as soon as it is told; ends with the work and throws what broke it.
 * While nothing is told an empty line says that it goes on.
 */
export async function* toldLines<Line>(
  work: (teller: Teller<Line>) => Promise<void>,
  everyMs = beatMs,
): AsyncGenerator<string> {
  let waiting: string[] = []
  let isHeard = true
  let isOver = false
  let wake = (): void => {}
  const tell = (line: Line): void => {
    waiting.push(`${JSON.stringify(line)}\n`)
    wake()
  }
  const worked = work({ tell, isHeard: () => isHeard }).finally(() => {
    isOver = true
    wake()
  })
  // Thrown below, when all that was told before has been read.
  worked.catch(() => undefined)
  try {
    while (!isOver || waiting.length > 0) {
      if (waiting.length === 0) await nextOf(everyMs, (act) => (wake = act))
      const told = waiting.join('')
      waiting = []
      if (told !== '' || !isOver) yield told || '\n'
    }
    await worked
  } finally {
    isHeard = false
  }
}

const nextOf = (ms: number, onWake: (wake: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    onWake(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Does the work for each item, `atOnce` of them at a time, as long as it `goesOn`. */
export const someAtOnce = async <Item>(
  items: readonly Item[],
  { atOnce, goesOn }: { readonly atOnce: number; goesOn(): boolean },
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && goesOn(); item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
