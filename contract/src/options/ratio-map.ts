import { z } from 'zod'
import { json, type Option, type Words } from './kinds.ts'

type Ratios = Readonly<Record<string, number>>

/** A JSON object of numbers ≥ 0. Saving replaces the whole map. */
export const ratioMap = (
  given: Omit<Parameters<typeof json<Ratios>>[0], 'schema' | 'allowed'> & { allowed: Words },
): Option<Ratios> => json<Ratios>({ ...given, schema: z.record(z.string().min(1), z.number().min(0)) })
