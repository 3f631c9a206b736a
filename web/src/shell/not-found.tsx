import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/states.tsx'
import { useShellMessages } from './messages.ts'
import { usePageMessages } from './page-words.ts'

export const NotFound = () => {
  const say = usePageMessages()
  const shell = useShellMessages()
  return (
    <EmptyState
      icon="warning"
      heading
      title={say('notFound')}
      text={shell('notFoundText')}
      action={<Link to="/">{shell('backHome')}</Link>}
    />
  )
}
