import fc from 'fast-check'

/** Conversations as careless clients keep them: empty texts, turns of one role in a row, calls and results out of step. */

export interface Bit {
  readonly kind: 'text' | 'picture'
  readonly text: string
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly where: string
}

export interface Result {
  readonly id: string
  readonly name: string
  readonly bits: readonly Bit[]
}

export type Turn =
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'user'; readonly bits: readonly Bit[] }
  | {
      readonly kind: 'assistant'
      readonly thought: string | undefined
      readonly texts: readonly string[]
      readonly calls: readonly Call[]
    }
  | { readonly kind: 'results'; readonly results: readonly Result[] }

/** Blank as often as not; each other text is a word of its own. */
const word = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[b-df-hj-np-tv-z]{6}$/).map((letters) => `${letters}ü`) },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', '\n\t') },
)

const bit: fc.Arbitrary<Bit> = fc.oneof(
  { weight: 5, arbitrary: word.map((text): Bit => ({ kind: 'text', text })) },
  { weight: 1, arbitrary: fc.constant<Bit>({ kind: 'picture', text: '' }) },
)
const bits = fc.array(bit, { maxLength: 3 })

const user = bits.map((said): Turn => ({ kind: 'user', bits: said }))
const system = word.map((text): Turn => ({ kind: 'system', text }))
const assistant = fc
  .record({ thought: fc.option(word, { nil: undefined }), texts: fc.array(word, { maxLength: 2 }) })
  .map((said): Turn => ({ kind: 'assistant', ...said, calls: [] }))

/** How the results of a step come back. */
const returns = ['whole', 'whole', 'whole', 'turned', 'late', 'apart', 'spoken', 'missing', 'stray', 'twice'] as const

const step = fc
  .record({
    thought: fc.option(word, { nil: undefined }),
    texts: fc.array(word, { maxLength: 1 }),
    calls: fc.array(fc.record({ where: word, result: bits }), { minLength: 1, maxLength: 3 }),
    way: fc.constantFrom(...returns),
    between: bits,
  })
  .map(({ calls, way, between, ...said }) => (first: number): Turn[] => {
    const made = calls.map(({ where }, at) => ({ id: `call_${first + at}`, name: `tool_${at}`, where }))
    const results = calls.map(({ result }, at) => ({ id: `call_${first + at}`, name: `tool_${at}`, bits: result }))
    const asked: Turn = { kind: 'assistant', ...said, calls: made }
    const of = (...some: Result[]): Turn => ({ kind: 'results', results: some })
    const [head = { id: '', name: '', bits: [] }, ...rest] = results
    switch (way) {
      case 'whole':
        return [asked, of(...results)]
      case 'turned':
        return [asked, of(...results.toReversed())]
      case 'late':
        return [asked, { kind: 'user', bits: between }, of(...results)]
      case 'apart':
        return [asked, of(head), { kind: 'user', bits: between }, ...(rest.length > 0 ? [of(...rest)] : [])]
      case 'spoken':
        return [asked, { kind: 'assistant', thought: undefined, texts: ['spoken'], calls: [] }, of(...results)]
      case 'missing':
        return [asked, ...(rest.length > 0 ? [of(...rest)] : [])]
      case 'stray':
        return [asked, of(...results, { ...head, id: `call_stray_${first}` })]
      case 'twice':
        return [asked, of(...results, head)]
    }
  })

const episode: fc.Arbitrary<(first: number) => Turn[]> = fc.oneof(
  { weight: 3, arbitrary: user.map((turn) => () => [turn]) },
  { weight: 2, arbitrary: assistant.map((turn) => () => [turn]) },
  { weight: 1, arbitrary: system.map((turn) => () => [turn]) },
  { weight: 3, arbitrary: step },
)

export const messyTurns: fc.Arbitrary<Turn[]> = fc
  .tuple(
    fc.array(episode, { maxLength: 6 }),
    fc.oneof(
      user.map((turn) => () => [turn]),
      step,
      episode,
    ),
    // Some providers count the calls of each answer anew.
    fc.boolean(),
  )
  .map(([episodes, last, counted]) => [...episodes, last].flatMap((make, at) => make(counted ? at * 10 : 0)))
