import { z } from 'zod'
import names from './plain-names.json' with { type: 'json' }
import json from './request-members.json' with { type: 'json' }

/**
 * Every member of a request by which its sender may choose a model, or what decides about one, declared once. A path joins names by
 * dots; members of lists have the path of their list, and `*` stands for every name that is not declared beside it. Names are
 * compared without regard to case and underscores, as some servers read them.
 *
 * - `names models`: the value holds names of models, which are checked like `model`.
 * - `names a preset`: the value names settings that are kept at the provider, with a model of their own: `x` is the model `@preset/x`.
 * - `chooses a route`: the provider decides by it which model or account answers, and this gateway cannot know which.
 * - `chooses a host`: it says which host answers for the models that are named, whose prices differ.
 * - `body`: the value is read like a body of its own.
 * - `chooses nothing`: it stands beside members that do.
 */
const meanings = [
  'names models',
  'names a preset',
  'chooses a route',
  'chooses a host',
  'body',
  'chooses nothing',
] as const

export type RequestMeaning = (typeof meanings)[number]

const row = z.strictObject({
  /** The providers that read them. */
  by: z.string().min(1),
  /** Address of the documentation. */
  source: z.string().min(1),
  members: z.record(z.string().min(1), z.enum(meanings)),
})

const table = z.strictObject({ about: z.string().min(1), rows: z.array(row).min(1) })

export const declaredRequestMembers: readonly z.output<typeof row>[] = table.parse(json).rows

/** Plugins of OpenRouter that use no other model; each other one chooses a route. */
export const plainPlugins: ReadonlySet<unknown> = new Set(names.plugins.names)

/** Server tools of OpenRouter that use no other model; each other one does. */
export const plainServerTools: ReadonlySet<unknown> = new Set(names.serverTools.names)

/** Hosted tools that use a model of their own, and the one that they use where the request names none. */
export const modelOfTool: ReadonlyMap<unknown, string> = new Map([['image_generation', 'gpt-image-1']])

/** Names of top-level members that choose no model, as the dialects and their providers have them. */
export const plainMembers: ReadonlySet<string> = new Set(names.members.names)

/** Those of them that hold settings: a name below them that looks as if it named a model counts as a new member that does. */
export const settingMembers: ReadonlySet<string> = new Set(names.settings.names)

/** Names of a tool's members that choose no model. */
export const plainToolMembers: ReadonlySet<string> = new Set(names.toolMembers.names)

/** Names in a JSON Schema: those of a tool's parameters where they are no settings. */
export const schemaMembers: ReadonlySet<string> = new Set(names.schemaMembers.names)

/** Other names of members that look as if they named a model or a route: new members of providers count as naming models. */
export const looksLikeModels = /model|fallback|preset|deployment|rout(?:e|ing)/
