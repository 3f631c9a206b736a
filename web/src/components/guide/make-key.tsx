import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import classes from './guide.module.css'
import { GuideContent } from './guide-content.tsx'
import { useGuideMessages } from './guide-messages.ts'

/** A key with one click; `onMade` gets it whole, as only the answer to its creation holds it. */
export const MakeKey = ({ onMade }: { onMade: (id: number, key: string) => void }) => {
  const say = useGuideMessages()
  const make = useAction(calls.createToken, {
    refresh: [calls.browseTokens],
    onDone: ({ id, key }) => onMade(id, `sk-${key}`),
  })
  return (
    <GuideContent title={say('key')}>
      <p className="muted">{say('keyNote')}</p>
      <div className={classes.row}>
        <Button
          variant="filled"
          loading={make.busy}
          onClick={() => void make.run({ body: { name: say('keyName'), unlimited_quota: true } })}
        >
          {say('makeKey')}
        </Button>
        <Link to="/token" search={{ add: '1' }} className="text-button">
          {say('keyMore')}
        </Link>
      </div>
    </GuideContent>
  )
}
