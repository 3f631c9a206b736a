import type { AgentSetup } from '@tollgate/contract'
import { editorAgents } from './editor-agents.ts'
import type { Agent, SetupFacts } from './setup.ts'
import { terminalAgents } from './terminal-agents.ts'

/** All clients, in the order in which the console shows them. */
export const agents: readonly Agent[] = [...terminalAgents, ...editorAgents]

/** The settings of all clients. */
export const setupsFor = (facts: SetupFacts): AgentSetup[] =>
  agents.map(({ id, name, api, notes, write }) => ({ id, name, api, notes: [...notes], texts: [...write(facts)] }))
