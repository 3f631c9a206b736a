import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestTimeZone } from '../sizes.ts'
import { isTimeZone } from '../time-zone.ts'
import { longestViewName } from './account-rules.ts'

/** How long the JSON of all that one user chose may be. */
export const longestPreferences = 65_536

const tableName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)
const columnName = z.string().regex(/^[a-z][\w-]{0,39}$/i)
const columnNames = z.array(columnName).max(80)

/** Pixels; narrower columns show nothing, wider ones no other. */
export const leastColumnWidth = 48
export const mostColumnWidth = 1200

/** A user's layout of a table. Columns that it does not name follow at the end, in the table's own order. */
export const tableLayout = z.strictObject({
  order: columnNames,
  hidden: columnNames,
  widths: z.record(columnName, z.int().min(leastColumnWidth).max(mostColumnWidth)),
  pins: z.record(columnName, z.enum(['left', 'right'])),
  density: z.enum(['comfortable', 'compact']),
})
export type TableLayout = z.output<typeof tableLayout>

/** A name of the IANA list, e.g. `Asia/Shanghai` or `UTC`. */
const timeZone = z.string().min(1).max(longestTimeZone).refine(isTimeZone)

/** The name of a saved view, or of a view built into the console, such as `errors`. */
const viewId = z.string().regex(/^[a-z0-9-]{1,40}$/)

/** Filters and order of a table under a name, perhaps with its layout. Ranges in it stay relative. */
export const tableView = z.strictObject({
  table: tableName,
  name: z.string().trim().min(1).max(longestViewName),
  /** Query parameters of the address: each filter by its name, the order as `sort`. */
  search: z.record(z.string().regex(/^[a-z_]{1,40}$/), z.string().max(500)),
  layout: tableLayout.optional(),
})
export type TableView = z.output<typeof tableView>

const views = z.record(viewId, tableView)

/** Tables on screens that every user may open. The shared views of other tables are listed for administrators only. */
export const openTables: readonly string[] = [
  'drawings',
  'explore',
  'ledger',
  'logs',
  'orders',
  'organisation-calls',
  'organisation-keys',
  'organisation-members',
  'organisation-projects',
  'pricing',
  'sessions',
  'tasks',
  'tokens',
]

/** A one-time notice that the user completed or dismissed; it can be restored. */
export const preferenceMarks = ['address-copied', 'guide-over', 'log-volume-folded'] as const
export type PreferenceMark = (typeof preferenceMarks)[number]
const mark = z.enum(preferenceMarks)

/** A user's choices for the console. An absent field was never chosen. */
export const preferences = z.object({
  /** Absent means the browser's own. */
  time_zone: timeZone.optional(),
  tables: z.record(tableName, tableLayout),
  views,
  /** The view with which a table opens. */
  default_views: z.record(tableName, viewId),
  marks: z.partialRecord(mark, z.literal(true)),
  /** Views that administrators share with everybody who may open their screens. */
  shared_views: views,
})
export type Preferences = z.output<typeof preferences>

/**
 * An absent field stays unchanged, null removes it. So two windows that change different tables do not overwrite each
 * other.
 */
export const preferencesChange = z.strictObject({
  time_zone: timeZone.nullable().optional(),
  tables: z.record(tableName, tableLayout.nullable()).optional(),
  views: z.record(viewId, tableView.nullable()).optional(),
  default_views: z.record(tableName, viewId.nullable()).optional(),
  marks: z.partialRecord(mark, z.literal(true).nullable()).optional(),
})
export type PreferencesChange = z.output<typeof preferencesChange>

export const getPreferences = endpoint({
  method: 'GET',
  path: '/api/user/self/preferences',
  access: 'user',
  summary:
    'What the caller chose for the console: time zone, layouts and views of tables, what is put away; and shared views',
  data: preferences,
})

export const changePreferences = endpoint({
  method: 'PUT',
  path: '/api/user/self/preferences',
  access: 'user',
  summary: 'Changes what is named and leaves the rest; null forgets',
  body: preferencesChange,
})

/** As in `preferencesChange`: what is absent stays, null removes. */
export const sharedViewsChange = z.strictObject({ views: z.record(viewId, tableView.nullable()) })
export type SharedViewsChange = z.output<typeof sharedViewsChange>

export const shareViews = endpoint({
  method: 'PUT',
  path: '/api/view/shared',
  access: 'admin',
  summary: 'Shares views of tables with everybody who may open their screens; null takes one back',
  body: sharedViewsChange,
})
