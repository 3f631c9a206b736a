import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { attacks, type CallKind, choose, markOf, ordinary, type Payer } from './call-kinds.ts'
import { type Outcome, send } from './client.ts'

/** A call that has ended, and how. */
export interface Finished {
  readonly mark: string
  readonly kind: CallKind
  readonly asksCost: boolean
  readonly key: string
  readonly outcome: Outcome
}

export interface Load {
  readonly finished: readonly Finished[]
  /** Lets each client finish its call. */
  stop(): Promise<void>
}

/** How many calls of each kind were answered whole, by its name. */
export const answersOf = (finished: readonly Finished[]): Readonly<Record<string, number>> => {
  const answers: Record<string, number> = {}
  for (const { kind, outcome } of finished)
    if (outcome.kind === 'complete') answers[kind.name] = (answers[kind.name] ?? 0) + 1
  return answers
}

export interface LoadParts {
  /** Addresses of the nodes; each call goes to one of them. */
  readonly urls: readonly string[]
  readonly keys: Readonly<Partial<Record<Payer, readonly string[]>>>
  readonly clients: number
  /** Share of calls that are attacks. */
  readonly attackShare: number
  readonly seed: number
  /** Calls besides the usual ones. */
  readonly more?: readonly CallKind[]
  /** Usual calls, if they are not those of ordinary clients. */
  readonly usually?: readonly CallKind[]
}

const pauseAfterFailureMs = 200

/** Clients that call and call again, whatever happens to the servers. */
export const startLoad = ({
  urls,
  keys,
  clients,
  attackShare,
  seed,
  more = [],
  usually = ordinary,
}: LoadParts): Load => {
  const finished: Finished[] = []
  const usual = [...usually, ...more]
  let running = true
  let calls = 0

  const client = async (number: number): Promise<void> => {
    const random = seeded(seed + number)
    const oneOf = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
    while (running) {
      const kind = choose(random() < attackShare ? attacks : usual, random)
      calls += 1
      const id = `call-${calls}`
      const call = kind.make({ random, mark: (behaviour = 'normal') => markOf(id, behaviour) })
      const key = oneOf(keys[kind.payer] ?? [])
      const outcome = await send(oneOf(urls), key, call, id)
      const asksCost = call.asksCost === true || kind.payer === 'withCost'
      finished.push({ mark: id, kind, asksCost, key, outcome })
      if (outcome.status === 0) await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs))
    }
  }
  const clientsDone = Array.from({ length: clients }, (_, number) => client(number))

  return {
    finished,
    async stop() {
      running = false
      await Promise.all(clientsDone)
    },
  }
}
