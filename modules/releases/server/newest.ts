import { z } from 'zod'

/** A release as release lists in GitHub's form name it. */
const listed = z.object({
  tag_name: z.string().trim().min(1).max(100),
  name: z.string().nullish(),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
  published_at: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
})
const list = z.union([z.array(listed), listed.transform((one) => [one])])

export interface Release {
  readonly tag: string
  readonly name: string
  readonly notes: string
  readonly url: string
  readonly published_at: number
}

const mostNotes = 50_000

const numbers = (tag: string): readonly number[] => (tag.match(/\d+/g) ?? []).slice(0, 4).map(Number)

/** True if version `a` comes after `b`: their numbers, one after the other; what stands between them does not matter. */
export const isNewer = (a: string, b: string): boolean => {
  const [left, right] = [numbers(a), numbers(b)]
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

const order = (a: string, b: string): number => (isNewer(a, b) ? -1 : isNewer(b, a) ? 1 : 0)

const webAddress = (text: string): string => (/^https?:\/\//i.test(text) ? text : '')

const secondsOf = (text: string): number => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? 0 : Math.floor(time / 1000)
}

/** The newest finished release of a list (or a single one) as JSON text; null when there is none. Throws on other text. */
export const newestIn = (text: string): Release | null => {
  const finished = list.parse(JSON.parse(text)).filter(({ draft, prerelease }) => !draft && !prerelease)
  const [first] = finished.toSorted((a, b) => order(a.tag_name, b.tag_name))
  if (first === undefined) return null
  return {
    tag: first.tag_name,
    name: first.name?.trim() || first.tag_name,
    notes: (first.body ?? '').slice(0, mostNotes),
    url: webAddress(first.html_url ?? ''),
    published_at: secondsOf(first.published_at ?? ''),
  }
}
