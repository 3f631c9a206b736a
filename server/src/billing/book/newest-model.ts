import { memoize } from '../../lib/memoize.ts'
import { compare } from '../decimal.ts'
import { familyOf } from '../declared/families.ts'
import type { ListedModel } from './stored-price.ts'

/** A name taken apart: the words of a family, and its version. */
interface VersionedName {
  /** The words, with `#` where the version stood: `gpt-6.1-sol` is `gpt # sol`. */
  readonly family: string
  /** `5-5` and `5.5` are both [5, 5]; empty where a name has none. */
  readonly version: readonly number[]
  /** The first word, which names the makes of a maker: gpt, claude, gemini, grok. */
  readonly brand: string
}

const hosts = /^(?:.*\/)?(?:(?:us|eu|ap|apac|jp|au|ca|sa|global|us-gov)\.)?(?:[a-z0-9]+\.(?=[a-z]))?/
const day = /^20\d{6}$/
const number = /^v?\d{1,2}(?:\.\d{1,2}){0,2}$/
/** OpenAI's `o4`. */
const lettered = /^(o)(\d{1,2})$/
/** Parts of a date that is written with dashes. */
const dashedDate = /-20\d\d-\d\d-\d\d(?=\D|$)/
/** Models that are sold by other measures than text, or whose price is unrelated to those of their family. */
const ofAnotherKind =
  /image|audio|realtime|tts|speech|transcri|embed|live|video|moderation|search|ocr|robotics|computer-use|guard|voice|instruct|research/

const versionedName = (name: string): VersionedName => {
  const id = name
    .toLowerCase()
    .replace(/\*$/, '')
    .replace(dashedDate, '')
    .replace(/-latest$/, '')
  const words: string[] = []
  const version: number[] = []
  for (const word of id.split('-')) {
    if (day.test(word)) continue
    const [, letter, digits] = lettered.exec(word) ?? []
    if (letter !== undefined && digits !== undefined) {
      words.push(`${letter}#`)
      version.push(Number(digits))
    } else if (!number.test(word)) words.push(word)
    else {
      if (version.length === 0) words.push('#')
      version.push(...word.replace('v', '').split('.').map(Number))
    }
  }
  return { family: words.join(' '), version, brand: words[0] ?? '' }
}

const isNewer = (one: readonly number[], other: readonly number[]): number => {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

interface Candidate {
  readonly version: readonly number[]
  readonly model: ListedModel
}

/** A list, as far as families need it. */
interface Models {
  models(): readonly ListedModel[]
}

interface Families {
  readonly byFamily: ReadonlyMap<string, readonly Candidate[]>
  readonly byBrand: ReadonlyMap<string, readonly Candidate[]>
}

const add = (map: Map<string, Candidate[]>, key: string, candidate: Candidate): void => {
  const found = map.get(key)
  if (found === undefined) map.set(key, [candidate])
  else found.push(candidate)
}

const familiesOf = (source: Models): Families => {
  const [byFamily, byBrand] = [new Map<string, Candidate[]>(), new Map<string, Candidate[]>()]
  for (const model of source.models()) {
    const { family, version, brand } = versionedName(model.id)
    if (version.length === 0) continue
    add(byFamily, family, { version, model })
    if (!ofAnotherKind.test(model.id)) add(byBrand, brand, { version, model })
  }
  return { byFamily, byBrand }
}

const isDearer = (one: ListedModel, other: ListedModel, at: number): boolean => {
  const [left, right] = [one.at(at)?.rates, other.at(at)?.rates]
  const [output, usual] = [left?.output ?? left?.input, right?.output ?? right?.input]
  return output !== undefined && (usual === undefined || compare(output, usual) > 0)
}

/** The newest of a family; of several of one version the dearest. */
const newestOf = (candidates: readonly Candidate[] | undefined, at: number): ListedModel | undefined => {
  let best: Candidate | undefined
  for (const candidate of candidates ?? []) {
    const newer = best === undefined ? 1 : isNewer(candidate.version, best.version)
    if (newer > 0 || (newer === 0 && best !== undefined && isDearer(candidate.model, best.model, at))) best = candidate
  }
  return best?.model
}

/** Makers whose model names contain the family. */
const makers: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google', 'xai'])

const mostNames = 10_000

/**
 * Finds the model that a name without a price is charged by until it has one: the newest of its family (`gpt-6.2-astra` for
 * `gpt-6.3-astra`), or, where the words of its name are new too, the dearest of its maker's newest. Only names of known makers that state a
 * version belong to a family.
 */
export const newestModels = (source: Models): ((name: string, at: number) => ListedModel | undefined) => {
  let families: Families | undefined
  const candidatesOf = memoize(mostNames, (name): { readonly of: readonly Candidate[] | undefined } => {
    if (!makers.has(familyOf(name))) return { of: undefined }
    const id = name.toLowerCase()
    const bare = id.replace(hosts, '')
    const { version, brand } = versionedName(bare)
    if (version.length === 0) return { of: undefined }
    families ??= familiesOf(source)
    const { byFamily, byBrand } = families
    // A host's own name of it comes first, since some hosts ask more.
    const same = byFamily.get(versionedName(id).family) ?? byFamily.get(versionedName(bare).family)
    return { of: same ?? (ofAnotherKind.test(bare) ? undefined : byBrand.get(brand)) }
  })
  return (name, at) => newestOf(candidatesOf(name).of, at)
}
