import classes from './prices.module.css'

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** By how much a figure grows or shrinks; dearer and cheaper differ in sign and colour. */
export const Share = ({ before, after }: { before: number; after: number }) => {
  if (before === after) return <span className="num faint">0%</span>
  const text = before === 0 ? '+∞' : percent.format((after - before) / before)
  return (
    <span className={`num ${classes.share}`} data-tone={after > before ? 'up' : 'down'}>
      {text}
    </span>
  )
}
