import { InAppInline, useTidings } from "@tidings/react";
import { useState } from "react";
import { euros, PRODUCTS } from "./catalog.ts";
import { To, useTrack } from "./header.tsx";
import { sendMyself } from "./session.ts";

interface Coupon {
  coupon: string | undefined;
}

export function Home() {
  return (
    <>
      <h1>Everything for tea</h1>
      <ul className="grid">
        {PRODUCTS.map(({ id, name, price }) => (
          <li key={id}>
            <To className="tile" path={`/product/${id}`}>
              <img alt="" src={`/images/${id}.svg`} />
              <span>{name}</span>
              <span>{euros(price)}</span>
            </To>
          </li>
        ))}
      </ul>
    </>
  );
}

export function ProductPage({ id, coupon }: Coupon & { id: string }) {
  const track = useTrack();
  const product = PRODUCTS.find((one) => one.id === id);
  const [added, setAdded] = useState(false);
  if (!product) return <h1>We do not have that</h1>;
  return (
    <>
      <h1>{product.name}</h1>
      <InAppInline />
      <div className="product">
        <img alt="" src={`/images/${id}.svg`} />
        <div>
          <p>{product.text}</p>
          <p className="price">{euros(product.price)}</p>
          {coupon && <p role="status">Coupon {coupon} is in your cart.</p>}
          <button
            onClick={() => {
              track("added_to_cart", { product: id });
              setAdded(true);
            }}
            type="button"
          >
            {added ? "Added" : "Add to cart"}
          </button>
        </div>
      </div>
    </>
  );
}

function Sum({ coupon }: Coupon) {
  const price = PRODUCTS[0]?.price ?? 0;
  return (
    <table>
      <tbody>
        <tr>
          <th scope="row">Clay teapot</th>
          <td>{euros(price)}</td>
        </tr>
        {coupon && (
          <tr>
            <th scope="row">Coupon {coupon}</th>
            <td>{euros(-price * 0.2)}</td>
          </tr>
        )}
        <tr>
          <th scope="row">Total</th>
          <td>{euros(coupon ? price * 0.8 : price)}</td>
        </tr>
      </tbody>
    </table>
  );
}

export function Cart({ coupon }: Coupon) {
  return (
    <>
      <h1>Your cart</h1>
      <Sum coupon={coupon} />
      <To className="button" path="/checkout/pay">
        Pay
      </To>
    </>
  );
}

export function Pay({ coupon }: Coupon) {
  const [paid, setPaid] = useState(false);
  return (
    <>
      <h1>Pay</h1>
      <p>Nothing interrupts a person here: the messages of the shop leave this screen out.</p>
      <Sum coupon={coupon} />
      {paid ? (
        <p role="status">Thank you.</p>
      ) : (
        <button onClick={() => setPaid(true)} type="button">
          Pay now
        </button>
      )}
    </>
  );
}

const MESSAGES = [
  ["modal", "Modal, in the cart"],
  ["banner", "Banner, at home"],
  ["inline", "Inline, with a product"],
  ["inbox_card", "Card, in the inbox"],
] as const;

export function Profile({ name, onLogout }: { name: string; onLogout: () => void }) {
  const tidings = useTidings();
  return (
    <>
      <h1>Hello {name}</h1>
      {/* The next person at this browser finds nothing of this one. */}
      <button onClick={() => void tidings.logout().then(onLogout)} type="button">
        Log out
      </button>
      <h2>Send yourself a message</h2>
      <p>Each is there within a second, on the screen that it is for.</p>
      <ul className="sends">
        {MESSAGES.map(([renderType, label]) => (
          <li key={renderType}>
            <button onClick={() => void sendMyself(renderType).catch(console.error)} type="button">
              {label}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
