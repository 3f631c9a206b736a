import { Link } from '@tanstack/react-router'
import classes from './first-steps.module.css'
import { useFirstStepsMessages } from './first-steps-messages.ts'

/** The way in for those who come from another gateway. */
export const MoveIn = () => {
  const say = useFirstStepsMessages()
  return (
    <div className={`panel ${classes.panel}`}>
      <strong className="strong">{say('title')}</strong>
      <p className="muted">{say('text')}</p>
      <Link to="/site-import">{say('open')}</Link>
    </div>
  )
}
