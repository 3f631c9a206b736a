import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName } from '../sizes.ts'

/** Notes for readers of settings; the console has a sentence for each. */
export const agentNotes = [
  /** The file may exist: what it holds is to be kept. */
  'merge_file',
  /** The client's maker calls the site from its own servers, so it has to be reachable from the internet. */
  'public_address',
  /** Settings are made by hand in the client's own screens. */
  'in_app',
  /** The client renames older models of Google by itself. */
  'renames_models',
] as const
export type AgentNote = (typeof agentNotes)[number]

/** A text to paste. */
export const agentText = z.object({
  /** The file that it belongs in, with `~` for the home directory; empty for commands of a shell, and for fields of a screen. */
  path: z.string(),
  language: z.enum(['bash', 'json', 'toml', 'yaml', 'text']),
  text: z.string(),
})
export type AgentText = z.output<typeof agentText>

/** How one client is set up. */
export const agentSetup = z.object({
  id: z.string(),
  name: z.string(),
  /** The site's API that the client uses. */
  api: z.enum(['messages', 'responses', 'chat', 'gemini']),
  /** In the order in which they are used. */
  texts: z.array(agentText),
  notes: z.array(z.enum(agentNotes)),
})
export type AgentSetup = z.output<typeof agentSetup>

/** Models that a setup lists at most. */
export const mostAgentModels = 30

const models = z
  .string()
  .max(mostAgentModels * (longestModelName + 1))
  .default('')
  .transform((text) => text.split(',').map((name) => name.trim()))
  .transform((names) => [...new Set(names.filter((name) => name !== ''))])
  .pipe(z.array(z.string().max(longestModelName)).max(mostAgentModels))

export const getAgentSetups = endpoint({
  method: 'GET',
  path: '/api/agents/setups',
  access: 'user',
  summary: 'Settings of coding agents for the site, an own key and models, ready to paste; the key is masked',
  query: z.object({
    /** Id of an own key; 0 for a placeholder. */
    token: z.coerce.number().int().min(0).catch(0),
    /** Names with commas between them, the main one first; models for chats that the key may call where it is empty. */
    models,
    /** Address at which clients reach the site; the option ServerAddress if empty. */
    address: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(300)]).default(''),
  }),
  data: z.object({
    /** Without a slash at its end. */
    address: z.string(),
    /** The key as it stands in the texts: masked, to be replaced by the whole one. */
    key: z.string(),
    /** Those that the texts name, the main one first. */
    models: z.array(z.string()),
    setups: z.array(agentSetup),
  }),
})
