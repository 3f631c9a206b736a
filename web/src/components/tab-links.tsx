import { Link } from '@tanstack/react-router'
import { formatInteger } from '../lib/text/format.ts'
import classes from './tab-bar.module.css'
import { TabBar } from './tab-bar.tsx'

/** The address of the first tab begins every other one. */
const exactly = { exact: true, includeSearch: true }

interface Props<Name extends string> {
  /** The page, of one thing where it has an id; its tabs are told apart by `?tab=`. */
  readonly to: '/user/$id' | '/channel/$id' | '/token/$id' | '/organisation/$id' | '/topup' | '/payment'
  readonly id?: number
  /** Query parameters that every tab's address has. */
  readonly search?: Readonly<Record<string, string>>
  readonly label: string
  /** The first one has no `tab` in its address. */
  readonly names: readonly Name[]
  readonly current: Name
  readonly textOf: (name: Name) => string
  /** How many things a tab lists; undefined for tabs that list none, or where it is not known. */
  readonly countOf?: (name: Name) => number | undefined
}

const TabCount = ({ count }: { count: number | undefined }) =>
  count === undefined ? null : <span className={`num ${classes.count}`}>{formatInteger(count)}</span>

/** The parts of a page, each with an address of its own. */
export const TabLinks = <Name extends string>({
  to,
  id,
  search = {},
  label,
  names,
  current,
  textOf,
  countOf,
}: Props<Name>) => (
  <TabBar label={label} current={names.indexOf(current)}>
    {names.map((name, index) => (
      <Link
        key={name}
        to={to}
        params={(id === undefined ? {} : { id: String(id) }) as never}
        search={index === 0 ? search : { ...search, tab: name }}
        activeOptions={exactly}
        aria-current={name === current ? 'page' : undefined}
        resetScroll={false}
      >
        {textOf(name)}
        <TabCount count={countOf?.(name)} />
      </Link>
    ))}
  </TabBar>
)
