import { Link } from '@tanstack/react-router'
import classes from './personal.module.css'

/** Leads to the panels of a long page. */
export const SectionIndex = ({
  label,
  sections,
}: {
  label: string
  sections: readonly (readonly [string, string])[]
}) => (
  <nav className={classes.index} aria-label={label}>
    {sections.map(([id, title]) => (
      <Link key={id} to="." hash={id} replace resetScroll={false} activeOptions={{ includeHash: true }}>
        {title}
      </Link>
    ))}
  </nav>
)
