import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Icon } from '../display/icon.tsx'
import { useUnpricedMessages } from '../unpriced/messages.ts'
import classes from './guide.module.css'
import { useGuideMessages } from './guide-messages.ts'

interface Props {
  place: RefObject<HTMLElement | null>
  count: number
  onClose: () => void
}

/** One line for operators of a site that is called: models whose calls are refused because they have no price. */
export const UnpricedNotice = ({ place, count, onClose }: Props) => {
  const say = useUnpricedMessages()
  const sayGuide = useGuideMessages()
  return (
    <section ref={place} className={classes.notice} aria-label={say('title', { count })}>
      <span>{say('title', { count })}</span>
      <Link to={'/setting/prices' as '/setting'}>{say('set')}</Link>
      <ActionIcon
        size={26}
        variant="subtle"
        aria-label={sayGuide('skip')}
        title={sayGuide('closeHint')}
        onClick={onClose}
      >
        <Icon name="close" size={13} />
      </ActionIcon>
    </section>
  )
}
