import type { Client } from '../client.ts'

/** Coding agents, in the order of the matrix. */
export const agents: readonly Client[] = []
