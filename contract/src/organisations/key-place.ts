import { z } from 'zod'

/** Of which project and member the key of a call or a task is. */
export const keyPlace = {
  /** 0 where no key is known. */
  project_id: z.int(),
  /** 0 for a machine. */
  member_id: z.int(),
}

const wholeOrAny = z.coerce.number().int().min(0).default(0)

/** The filter by these; 0 for any. */
export const keyPlaceQuery = { project_id: wholeOrAny, member_id: wholeOrAny }
