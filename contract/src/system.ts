import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const systemInfo = z.object({
  version: z.string(),
  /** Unix seconds, of the node that answers. */
  start_time: z.int(),
  node_name: z.string(),
  /** A slave leaves the first start and the console's pages to another node. */
  node_type: z.enum(['master', 'slave']),
  runtime: z.string(),
  database: z.enum(['sqlite', 'postgres', 'mysql']),
  /** Engine of the log database; null if logs are in the main database. */
  log_database: z.enum(['sqlite', 'postgres', 'mysql']).nullable(),
  /** True if nodes share their state through Redis. */
  redis: z.boolean(),
  /** Last backup and last failure since, unix seconds, 0 for none; null where the server writes no backups. */
  backups: z.object({ written: z.int(), failed: z.int() }).nullable(),
})
export type SystemInfo = z.output<typeof systemInfo>

export const getSystemInfo = endpoint({
  method: 'GET',
  path: '/api/system/info',
  access: 'admin',
  summary: 'What this node is and what it stands on',
  data: systemInfo,
})

const neighbours = z.object({
  /** Name of the node that answers. */
  node: z.string(),
  /** The node that serves calls in its place; empty where the node that answers serves them. */
  serving: z.string(),
  /** Nodes that refuse calls because they use the database and do not share a Redis with the one that serves; at most 20. */
  refusing: z.array(z.string()),
})
export type Neighbours = z.output<typeof neighbours>

export const getNeighbours = endpoint({
  method: 'GET',
  path: '/api/system/neighbours',
  access: 'admin',
  summary:
    'Gateways that use this database beside the one that serves, without sharing its Redis, and therefore refuse calls',
  data: neighbours,
})
