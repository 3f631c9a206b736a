import { moduleRows } from '../../../../../modules/lists/full-rows.ts'
import type { Tables } from '../../../../src/db/schema.ts'
import { channelsRows } from './channels.ts'
import { moneyRows } from './money.ts'
import { peopleRows } from './people.ts'
import { siteRows } from './site.ts'
import { usageRows } from './usage.ts'
import type { FullRows } from './values.ts'

/** One full row per table; the types name every column. */
export const fullRows: FullRows<Tables> = {
  ...peopleRows,
  ...channelsRows,
  ...moneyRows,
  ...usageRows,
  ...siteRows,
  ...moduleRows,
}
