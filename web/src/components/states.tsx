import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../lib/api/api.ts'
import { errorText } from '../lib/text/error-text.ts'
import { Icon, type IconName } from './display/icon.tsx'
import { useUiMessages } from './messages.ts'
import classes from './states.module.css'

interface EmptyStateProps {
  title: string
  /** The title is that of the whole page. */
  heading?: boolean
  text?: ReactNode
  action?: ReactNode
  icon?: IconName
}

/** Says why there is nothing and offers the next step. */
export const EmptyState = (props: EmptyStateProps) => (
  <div className={classes.state} data-empty>
    {props.icon && (
      <span className={classes.icon}>
        <Icon name={props.icon} size={20} />
      </span>
    )}
    {props.heading ? <h1>{props.title}</h1> : <strong>{props.title}</strong>}
    {props.text && <p>{props.text}</p>}
    {props.action}
  </div>
)

/** The error, the request id to report, and a button to try again. */
export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const say = useUiMessages()
  const requestId = error instanceof ApiError ? error.requestId : ''
  return (
    <div className={classes.state} role="alert">
      <span className={classes.bad}>
        <Icon name="warning" size={22} />
      </span>
      <strong>{say('failed')}</strong>
      <p>{errorText(error)}</p>
      {requestId !== '' && <code className="mono faint">{say('requestId', { id: requestId })}</code>}
      {onRetry && (
        <Button onClick={onRetry} leftSection={<Icon name="refresh" size={14} />}>
          {say('retry')}
        </Button>
      )}
    </div>
  )
}
