import { Banner } from '../src/ui/banner.tsx'
import { Button } from '../src/ui/button.tsx'
import { Empty } from '../src/ui/empty.tsx'
import { Fault } from '../src/ui/fault.tsx'
import { Skeleton, SkeletonRows } from '../src/ui/skeleton.tsx'
import { toast } from '../src/ui/toast.tsx'
import css from './gallery.module.css'
import { State, type Section } from './section.tsx'

/** What the product says by itself. */
export const feedback: Section[] = [
  {
    id: 'toast',
    title: 'Toast',
    content: (
      <State name="done, with undo, fault">
        <Button onClick={() => toast({ message: 'Link copied' })}>Done</Button>
        <Button
          onClick={() =>
            toast({
              message: 'Moved to Proposal',
              undo: () => toast({ message: 'Back in Discovery' }),
            })
          }
        >
          With undo
        </Button>
        <Button
          onClick={() =>
            toast({
              kind: 'fault',
              message: 'Not saved',
              detail: 'Primary email must be an e-mail address. Request 03ha42uzhuc8lf8c1c96z1xjg',
            })
          }
        >
          Fault
        </Button>
      </State>
    ),
  },
  {
    id: 'banner',
    title: 'Banner',
    content: (
      <>
        <State name="bars" column>
          <Banner kind="warn" icon="wifi-off">
            You are offline. What you type stays in its field.
          </Banner>
          <Banner kind="info" actions={<Button size="small">Load</Button>}>
            A new version is there.
          </Banner>
        </State>
        <State name="boxed" column>
          <Banner kind="bad" boxed>
            3 of 20 rows cannot be imported.
          </Banner>
          <Banner kind="good" boxed onClose={() => {}}>
            20 companies were imported.
          </Banner>
        </State>
      </>
    ),
  },
  {
    id: 'empty',
    title: 'Empty',
    content: (
      <>
        <Empty
          icon="handshake"
          title="No deals yet"
          action={
            <>
              <Button variant="primary" icon="plus">
                New deal
              </Button>
              <Button icon="upload">Import</Button>
            </>
          }
          as="h3"
        >
          A deal is a sale in the making: what it is worth, how far it is, and who decides.
        </Empty>
        <Empty title="No match" small as="h3" action={<Button>Clear filters</Button>}>
          No contact has all of these.
        </Empty>
      </>
    ),
  },
  {
    id: 'fault',
    title: 'Fault',
    content: (
      <Fault
        title="The contacts could not be loaded"
        message="The server did not answer. It is tried again when you are back online."
        requestId="03ha42uzhuc8lf8c1c96z1xjg"
        onRetry={() => {}}
        as="h3"
      />
    ),
  },
  {
    id: 'skeleton',
    title: 'Skeleton',
    content: (
      <>
        <State name="pieces" column>
          <Skeleton width={40} height={40} round />
          <Skeleton width="60%" />
        </State>
        <State name="rows">
          <div className={css.wide}>
            <SkeletonRows count={4} />
          </div>
        </State>
      </>
    ),
  },
]
