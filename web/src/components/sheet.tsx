import { CloseButton, Drawer, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useFocusBack } from '../lib/focus-back.ts'
import { useTitleOf } from '../lib/url/page-object.ts'
import { useUiMessages } from './messages.ts'
import classes from './sheet.module.css'
import { ErrorState } from './states.tsx'

export interface SheetProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** The subject in the browser's title; by default the sheet's own title. */
  name?: ReactNode
  /** A quiet line under the title: an id, a moment. */
  subtitle?: ReactNode
  /** Beside the close button, e.g. previous and next. */
  actions?: ReactNode
  /** Sticks to the bottom. */
  footer?: ReactNode
  /** Over the footer, and in view like it: why the latest attempt failed. */
  remark?: ReactNode
  loading?: boolean
  error?: unknown
  onRetry?: () => void
  width?: number
  children?: ReactNode
}

const Waiting = () => {
  const say = useUiMessages()
  return (
    <div className={classes.waiting} role="status" aria-label={say('loading')}>
      {[60, 100, 100, 40, 100, 80].map((share, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the grey lines never move
        <Skeleton key={index} h={16} w={`${share}%`} />
      ))}
    </div>
  )
}

/** The one sheet at the right, for details and forms: fills a phone, traps the focus and gives it back. */
export const Sheet = (props: SheetProps) => {
  const say = useUiMessages()
  const about = props.name ?? props.title
  useTitleOf(props.opened && typeof about === 'string' ? about : undefined)
  useFocusBack(props.opened)
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <Drawer.Root
      opened={props.opened}
      onClose={props.onClose}
      position="right"
      classNames={{ content: classes.sheet ?? '' }}
      size={phone ? '100%' : (props.width ?? 500)}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.head}>
          <div className={classes.words}>
            <Drawer.Title className={classes.title}>{props.title}</Drawer.Title>
            {props.subtitle && <div className={classes.subtitle}>{props.subtitle}</div>}
          </div>
          {props.actions}
          <CloseButton onClick={props.onClose} aria-label={say('close')} size={32} />
        </div>
        <div className={classes.body}>
          {props.error ? (
            <ErrorState error={props.error} {...(props.onRetry ? { onRetry: props.onRetry } : {})} />
          ) : props.loading ? (
            <Waiting />
          ) : (
            props.children
          )}
        </div>
        {props.remark && <div className={classes.remark}>{props.remark}</div>}
        {props.footer && <div className={classes.foot}>{props.footer}</div>}
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Buttons at the foot of a sheet, side by side from its beginning. */
export const SheetActions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>
