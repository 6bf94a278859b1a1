// The key of an authenticator app as a QR code.
import { encode } from 'uqr'

/** QrCode is dark on white in both color schemes, because many cameras need that. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { data, size } = encode(value, { border: 4 })
  const dots = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg class="second-factor-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
