/** Pixel positions of a chart's values. */
export interface ChartArea {
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  /** Width of a point. */
  readonly band: number
  /** Position of 0. */
  readonly base: number
}

type Values = readonly (number | null)[]

/** From where to where the values of a series reach. */
export interface Stack {
  readonly from: Values
  readonly to: Values
}

/** Series one above the other; what is below zero goes downwards. */
export const stacksOf = (series: readonly { readonly values: Values }[], stacked: boolean): readonly Stack[] => {
  if (!stacked) return series.map(({ values }) => ({ from: values.map(() => 0), to: values }))
  const up: number[] = []
  const down: number[] = []
  return series.map(({ values }) => {
    const from: number[] = []
    const to = values.map((value, index) => {
      const side = (value ?? 0) < 0 ? down : up
      from[index] = side[index] ?? 0
      side[index] = (side[index] ?? 0) + (value ?? 0)
      return side[index]
    })
    return { from, to }
  })
}

const at = (value: number): string => value.toFixed(1)

/** A line that is interrupted where nothing was measured; a value alone is a small ring. */
export const linePath = (values: Values, { x, y }: ChartArea): string =>
  values
    .map((value, index) => {
      if (value === null || value === undefined) return ''
      const [before, after] = [values[index - 1] ?? null, values[index + 1] ?? null]
      if (before === null && after === null)
        return `M${at(x(index) - 2.5)} ${at(y(value))}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`
      return `${before === null ? 'M' : 'L'}${at(x(index))} ${at(y(value))}`
    })
    .join('')

export const areaPath = ({ from, to }: Stack, { x, y }: ChartArea): string => {
  const above = to.map((value, index) => `${at(x(index))} ${at(y(value ?? 0))}`)
  const below = from.map((value, index) => `${at(x(index))} ${at(y(value ?? 0))}`).reverse()
  return to.length === 0 ? '' : `M${[...above, ...below].join('L')}Z`
}

const widestBar = 48

export const barPath = ({ from, to }: Stack, { x, y, band }: ChartArea): string => {
  const width = Math.min(widestBar, Math.max(1, band > 6 ? band - 2 : band * 0.8))
  return to
    .map((value, index) => {
      const start = from[index] ?? 0
      if (value === null || value === start) return ''
      return `M${at(x(index) - width / 2)} ${at(y(start))}h${at(width)}V${at(y(value))}h${at(-width)}Z`
    })
    .join('')
}

/** The points of a stack from one on, or before it. */
export const partOf = ({ from, to }: Stack, start: number, end: number): Stack => ({
  from,
  to: to.map((value, index) => (index >= start && index < end ? value : null)),
})
