import { type ModelMaker, makers } from './makers.ts'

/** A mark that is fetched when it is drawn; a plain one takes the colour of the text around it. */
export interface Mark {
  readonly address: string
  readonly isPlain: boolean
}

/** Subject of a logo: a provider's channel type, a maker's name, or a model's name. */
export type LogoOf =
  | { readonly type: number }
  | { readonly maker: string; readonly model?: string }
  | { readonly model: string }

const files = new Map(
  Object.entries(import.meta.glob<string>('./marks/*/*.svg', { eager: true, query: '?url', import: 'default' })),
)

const markOf = ({ mark }: ModelMaker): Mark | undefined => {
  const [colour, plain] = [files.get(`./marks/colour/${mark}.svg`), files.get(`./marks/plain/${mark}.svg`)]
  const address = colour ?? plain
  return address === undefined ? undefined : { address, isPlain: colour === undefined }
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const byType = new Map(makers.flatMap((maker) => (maker.types ?? []).map((type) => [type, maker] as const)))
const byWord = new Map(
  makers.flatMap((maker) => [plainName(maker.name), maker.mark, ...(maker.words ?? [])].map((word) => [word, maker])),
)

/** The maker that a name means, such as `anthropic` or `google gemini`. */
const makerNamed = (name: string): ModelMaker | undefined => byWord.get(plainName(name))

const longestName = 255

/** `deepseek-ai/DeepSeek-V3` and `us.anthropic.claude-…` are read by what follows, then by what stands before it. */
const makerOfModel = (model: string): ModelMaker | undefined => {
  if (model.length > longestName) return undefined
  const name = model.toLowerCase()
  const parts = name.split(/[/:]/)
  const ends = [name, parts.at(-1) ?? '', ...parts, name.replace(/^(?:[a-z-]+\.){1,2}/, '')]
  for (const end of ends) {
    const found = makers.find(({ models }) => models?.test(end))
    if (found) return found
  }
  const before = parts.length > 1 ? parts[0] : undefined
  return before === undefined ? undefined : makerNamed(before)
}

const makerFor = (of: LogoOf): ModelMaker | undefined => {
  if ('type' in of) return byType.get(of.type)
  const ofModel = of.model === undefined ? undefined : makerOfModel(of.model)
  return ofModel ?? ('maker' in of ? makerNamed(of.maker) : undefined)
}

/** The mark of a provider, maker or model; undefined where none is known. */
export const findMark = (of: LogoOf): Mark | undefined => {
  const maker = makerFor(of)
  return maker && markOf(maker)
}
