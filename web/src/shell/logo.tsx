import styles from './logo.module.css'

/** The organization's logo, or the product's leaf. */
export function Logo({ src }: { src?: string | null }) {
  if (src) return <img className={styles.logo} src={src} alt="" />
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M15 29v-9.2C9.2 20 4 16.4 3 8c7.2-.6 11.4 2.6 13 7.4C17.6 9.6 22 5 29.5 5c-.3 9.400-5.100 13.800-12.500 14.200V29z" />
    </svg>
  )
}
