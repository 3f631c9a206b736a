import { useState } from 'react'
import { storedUser } from '../../lib/session.ts'
import { readJson, readText, writeJson, writeText } from '../../lib/storage.ts'
import type { Column } from './column.ts'

export type Density = 'comfortable' | 'compact'

interface Layout {
  order: string[]
  hidden: string[]
}

const readLayout = (value: unknown): Layout | undefined => {
  const given = value as Partial<Layout> | undefined
  return Array.isArray(given?.order) && Array.isArray(given.hidden)
    ? { order: given.order, hidden: given.hidden }
    : undefined
}

const initialLayout = <Row>(columns: readonly Column<Row>[]): Layout => ({
  order: columns.map((column) => column.id),
  hidden: columns.filter((column) => column.hidden).map((column) => column.id),
})

/** Columns that a newer version brought stand at the end; columns that are gone are dropped. */
const fitted = <Row>(layout: Layout, columns: readonly Column<Row>[]): Layout => {
  const known = columns.map((column) => column.id)
  const kept = layout.order.filter((id) => known.includes(id))
  const fresh = columns.filter((column) => !kept.includes(column.id))
  return {
    order: [...kept, ...fresh.map((column) => column.id)],
    hidden: [
      ...layout.hidden.filter((id) => known.includes(id)),
      ...fresh.filter((column) => column.hidden).map((column) => column.id),
    ],
  }
}

export interface TablePreferences extends Layout {
  density: Density
  setDensity: (density: Density) => void
  toggle: (id: string) => void
  /** Moves a column one place up (−1) or down (1). */
  move: (id: string, by: -1 | 1) => void
  reset: () => void
}

/** Which columns a person sees, in which order and how dense; kept per person and table in this browser. */
export const useTablePreferences = <Row>(name: string, columns: readonly Column<Row>[]): TablePreferences => {
  const owner = `${storedUser()?.id ?? 0}:${name}`
  const columnsKey = `table-columns:${owner}` as const
  const densityKey = `table-density:${owner}` as const
  const [stored, setStored] = useState(() => readLayout(readJson(columnsKey)))
  const [density, setDensity] = useState<Density>(readText(densityKey) === 'compact' ? 'compact' : 'comfortable')
  const layout = fitted(stored ?? initialLayout(columns), columns)
  const keep = (next: Layout): void => {
    writeJson(columnsKey, next)
    setStored(next)
  }
  return {
    ...layout,
    density,
    setDensity: (next) => {
      writeText(densityKey, next)
      setDensity(next)
    },
    toggle: (id) =>
      keep({
        ...layout,
        hidden: layout.hidden.includes(id) ? layout.hidden.filter((entry) => entry !== id) : [...layout.hidden, id],
      }),
    move: (id, by) => {
      const from = layout.order.indexOf(id)
      const order = layout.order.toSpliced(from, 1).toSpliced(from + by, 0, id)
      if (from + by >= 0 && from + by < layout.order.length) keep({ ...layout, order })
    },
    reset: () => {
      writeText(columnsKey, undefined)
      setStored(undefined)
    },
  }
}
