import type { Option } from './kinds.ts'
import { quota } from './quota.ts'

/** The settings screen draws the sections in this order. */
export const sections = [quota] as const

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** Every option by key. */
export const options = Object.assign({}, ...sections.map((entry) => entry.options)) as UnionToIntersection<
  (typeof sections)[number]['options']
>

export type OptionKey = keyof typeof options
export type OptionValue<K extends OptionKey> = (typeof options)[K] extends Option<infer T> ? T : never

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)
