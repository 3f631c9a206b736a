import type { FigureCondition, FigureDimension } from '#web/lib/api/contract.ts'
import type { ExploreView } from './view.ts'

/** A value of a dimension, and what it is called. */
export interface Value {
  readonly dimension: FigureDimension
  readonly key: string
  readonly name: string
  /** User whose key it is, where the reader may know: several users have keys of one name. */
  readonly owner?: string | undefined
}

const failed = '5'
const charged = '2'

/** The filter of the log for one value; undefined where the log has none. */
const logFilter = ({ dimension, key, name }: Value): readonly [string, string] | undefined => {
  switch (dimension) {
    case 'model':
      return name === '' ? undefined : ['model_name', `"${name}"`]
    case 'group':
      return name === '' ? undefined : ['group', name]
    case 'key':
      return name === '' ? undefined : ['token_name', name]
    case 'user':
      return name === '' ? undefined : ['username', name]
    case 'session':
      return ['session', key]
    case 'channel':
      return key === '0' ? undefined : ['channel', key]
    case 'organisation':
    case 'project':
    case 'member':
      return key === '0' ? undefined : [`${dimension}_id`, key]
    case 'end_user':
    case 'tag':
      return key === '' ? undefined : [dimension, key]
    // The log is not filtered by teams.
    case 'team':
      return undefined
    case 'status':
      return ['type', key === 'success' ? charged : failed]
  }
}

/** The same for the list of an organisation's calls. */
const organisationFilter = (value: Value): readonly [string, string] | undefined => {
  const { dimension, key } = value
  if (dimension === 'project' || dimension === 'member') return key === '0' ? undefined : [`${dimension}_id`, key]
  if (dimension === 'tag' || dimension === 'end_user') return [dimension, key]
  return dimension === 'model' || dimension === 'key' || dimension === 'status' ? logFilter(value) : undefined
}

type Whose = Pick<ExploreView, 'organisation'>
type Filter = typeof logFilter

const filterFor = ({ organisation }: Whose): Filter => (organisation === undefined ? logFilter : organisationFilter)

/** True if the log can be narrowed to a value and has nothing else then; it tells no causes of failures apart. */
export const isAloneInLog = ({ dimension, key }: Value): boolean => dimension !== 'status' || key === 'success'

/** True if the log can be narrowed to a value. */
export const isInLog = (whose: Whose, value: Value): boolean => filterFor(whose)(value) !== undefined

/** Filters that can also leave out what they name; those of an organisation's calls are fewer. */
const turnableOfCalls: readonly string[] = ['model_name', 'token_name']
const turnableOfSite: readonly string[] = [...turnableOfCalls, 'group', 'username', 'channel']
const isTurnable = ({ organisation }: Whose, filter: string): boolean =>
  (organisation === undefined ? turnableOfSite : turnableOfCalls).includes(filter)

/** A filter of the question as one of the log: one value, or a part of a model's name. */
const ofQuestion = (
  whose: Whose,
  { dimension, is, values }: FigureCondition,
  nameOf: (dimension: FigureDimension, key: string) => string,
): readonly [string, string, boolean] | undefined => {
  const [key = '', ...more] = values
  if (more.length > 0) return undefined
  if (is === 'contains') return dimension === 'model' ? ['model_name', key, false] : undefined
  const found = filterFor(whose)({ dimension, key, name: nameOf(dimension, key) })
  if (found === undefined || (is === 'not' && !isTurnable(whose, found[0]))) return undefined
  return [...found, is === 'not']
}

/** The address of the log with the calls of some values, in a time; both ends are included. */
export const logSearchOf = (
  whose: Whose,
  range: { readonly from: number; readonly to: number },
  { values, filters }: { readonly values: readonly Value[]; readonly filters: readonly FigureCondition[] },
  nameOf: (dimension: FigureDimension, key: string) => string,
): Readonly<Record<string, string>> => {
  const search = new Map<string, string>()
  const not = new Set<string>()
  for (const filter of filters) {
    const found = ofQuestion(whose, filter, nameOf)
    if (found === undefined) continue
    search.set(found[0], found[1])
    if (found[2]) not.add(found[0])
  }
  for (const value of values) {
    const found = filterFor(whose)(value)
    if (found === undefined) continue
    search.set(...found)
    not.delete(found[0])
    if (value.owner && whose.organisation === undefined) search.set('username', value.owner)
  }
  return {
    range: `${range.from}..${range.to}`,
    ...Object.fromEntries(search),
    ...(not.size === 0 ? {} : { not: [...not].join(',') }),
  }
}

/** Link to the calls of some values in a time: in the log, or on the page of the organisation. */
export const logLinkOf = (
  view: Pick<ExploreView, 'organisation' | 'filters'>,
  range: { readonly from: number; readonly to: number },
  values: readonly Value[],
  nameOf: (dimension: FigureDimension, key: string) => string,
) => {
  const search = logSearchOf(view, range, { values, filters: view.filters }, nameOf)
  const { organisation } = view
  if (organisation === undefined) return { to: '/log', search } as const
  return { to: '/organisation/$id', params: { id: String(organisation) }, search: { ...search, tab: 'calls' } } as const
}
