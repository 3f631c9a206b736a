import { endpoint } from '@tollgate/contract/endpoint'
import { refusalFields } from '@tollgate/contract/errors/refusal'
import { z } from 'zod'
import { type ImportNote, importNotes } from './import-notes.ts'

/** Gateways whose databases can be moved into this one. */
export const importProducts = ['new-api', 'one-api', 'litellm'] as const
export type ImportProduct = (typeof importProducts)[number]

/** Kinds of imported data, in this order. */
export const importKinds = [
  ...(['option', 'user', 'organisation', 'team', 'project', 'member', 'token', 'channel'] as const),
  ...(['virtual_model', 'code', 'second_factor', 'limit', 'log'] as const),
] as const
export type ImportKind = (typeof importKinds)[number]

/** Sums that must be the same before and after, in quota units. */
export const importSums = [
  ...(['user_quota', 'user_used', 'aff_quota', 'wallet_quota', 'wallet_used'] as const),
  ...(['token_remain', 'token_used', 'code_quota'] as const),
] as const
export type ImportSum = (typeof importSums)[number]

const noteNames = Object.keys(importNotes) as [ImportNote, ...ImportNote[]]

export const importCount = z.object({
  kind: z.enum(importKinds),
  /** Rows of the source. */
  found: z.int(),
  /** Those that this run moved. */
  carried: z.int(),
  /** Those that an earlier run had moved. */
  known: z.int(),
  /** Those that stay behind; the notes say why. */
  left: z.int(),
})

export const siteImportReport = z.object({
  product: z.enum(importProducts),
  /** Name under which the moved rows are remembered. */
  site: z.string(),
  dry_run: z.boolean(),
  counts: z.array(importCount),
  sums: z.array(
    z.object({
      name: z.enum(importSums),
      /** Of the source's rows that are moved. */
      before: z.number(),
      /** Of the opening entries here; null in a dry run. */
      after: z.number().nullable(),
    }),
  ),
  notes: z.array(
    z.object({
      code: z.enum(noteNames),
      count: z.int(),
      /** The first of them. */
      examples: z.array(z.string()),
    }),
  ),
})
export type SiteImportReport = z.output<typeof siteImportReport>
export type ImportCount = z.output<typeof importCount>

export const siteImportState = z.object({
  running: z.boolean(),
  /** Unix seconds; 0 for never. */
  started_time: z.int(),
  finished_time: z.int(),
  /** Rows that were looked at, and all of them. */
  done: z.int(),
  total: z.int(),
  /** Why the last run ended early; empty where it did not. */
  error: z.string(),
  ...refusalFields,
  report: siteImportReport.nullable(),
})
export type SiteImportState = z.output<typeof siteImportState>

const siteName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{0,60}$/)

export const startSiteImport = endpoint({
  method: 'POST',
  path: '/api/site_import',
  access: 'root',
  confirm: true,
  summary: 'Begins to move the database of another gateway into this one, or says what would be moved',
  body: z.object({
    product: z.enum(importProducts),
    /** `mysql://`, `postgres://` or `user:password@tcp(host:3306)/name`; empty for the uploaded file. */
    dsn: z.string().max(2000).default(''),
    /** Id of an uploaded SQLite file; empty for `dsn`. */
    upload: z.string().max(64).default(''),
    /** Another name for each site, where several sites of a product are moved; the product's name when empty. */
    site: siteName.default(''),
    dry_run: z.boolean().default(true),
    logs: z.boolean().default(false),
    /** LiteLLM encrypts keys of channels with it. */
    salt_key: z.string().max(500).default(''),
  }),
  data: siteImportState,
})

export const getSiteImport = endpoint({
  method: 'GET',
  path: '/api/site_import',
  access: 'root',
  summary: 'How far the move of another gateway’s database is, and what came of the last one',
  data: siteImportState,
})

/** Bytes of a part of an uploaded file, as base64. */
export const importPartBytes = 3 * 1024 * 1024

export const uploadSiteImport = endpoint({
  method: 'POST',
  path: '/api/site_import/upload',
  access: 'root',
  summary: 'Takes a part of a SQLite file that is to be moved in, and answers the file’s id',
  megabytes: 5,
  body: z.object({
    /** Empty for the first part. */
    id: z.string().max(64).default(''),
    /** Start of the part, in bytes. */
    offset: z.int().min(0),
    data: z.base64().max(Math.ceil(importPartBytes / 3) * 4),
  }),
  data: z.object({ id: z.string(), bytes: z.int() }),
})
